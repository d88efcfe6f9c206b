"""The URLconf of that API, with the endpoint beside it."""

from django.urls import include, path, re_path
from rest_framework.routers import DefaultRouter

from tests.site.views import Echo, GroupViewSet, Page, Slow, decorated

router = DefaultRouter()
router.register("groups", GroupViewSet)

urlpatterns = [
    path("", include("kobana_mcp.urls")),
    path("rest/", include(router.urls)),
    path("echo/<str:word>", Echo.as_view(), name="echo"),
    path("echo/<str:word>/secret", Echo.as_view(), name="echo-secret"),
    re_path(r"^old/(?P<word>[^/]+)/$", Echo.as_view(), name="echo-old"),
    path("decorated", decorated(Echo.as_view()), name="echo-decorated"),
    path("slow", Slow.as_view(), name="slow"),
    path("page", Page.as_view(), name="page"),
]
