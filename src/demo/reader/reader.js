window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reader',
  deepLinking: true,
  // It would fill the form of a QUERY with a condition on each field.
  supportedSubmitMethods: ['get'],
  // It is on another host.
  validatorUrl: null,
})
