// Shows the document in the viewer. A file of its own, because the page's policy allows no script within the page.
SwaggerUIBundle({
  url: new URL("../../api/1/openapi.json", document.currentScript.src).href,
  dom_id: "#document",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: false,
  // Its usual place is a stranger's server.
  validatorUrl: null,
});
