"use strict";

// A file of its own, so that the page's policy can refuse every script that stands in a page.
const place = document.getElementById("docs");
SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  filter: true,
  // Else the document would be sent to a service on the internet to be checked.
  validatorUrl: null,
});
