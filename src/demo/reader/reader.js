window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reader',
  deepLinking: true,
  defaultModelRendering: 'model',
  // It would fill the form of a QUERY with a condition on each field.
  supportedSubmitMethods: ['get'],
  // It is on another host.
  validatorUrl: null,
})
