"""The URLconf of that API, with the endpoint beside it."""

from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter

from tests.site.things import Hello, Ruled, Scoped, ThingViewSet
from tests.site.views import Echo, GroupViewSet, Page, Premium, Slow, decorated

router = DefaultRouter()
router.register("groups", GroupViewSet)

things = DefaultRouter()
things.register("things", ThingViewSet, "thing")
things.register("ruled", Ruled, "ruled")

urlpatterns = [
    path("", include("kobana_mcp.urls")),
    path("rest/", include(router.urls)),
    path("echo/<str:word>", Echo.as_view(), name="echo"),
    path("echo/<str:word>/secret", Echo.as_view(), name="echo-secret"),
    re_path(r"^old/(?P<word>[^/]+)/$", Echo.as_view(), name="echo-old"),
    path("decorated", decorated(Echo.as_view()), name="echo-decorated"),
    path("slow", Slow.as_view(), name="slow"),
    path("premium", Premium.as_view({"post": "create"}), name="premium"),
    re_path(r"^api/(?P<version>v[12])/", include((things.urls, "things"))),
    path("hello", decorated(Hello.as_view()), name="hello"),
    path("scoped", Scoped.as_view(), name="scoped"),
    path("page", Page.as_view(), name="page"),
]
