// The description is of a caller: /swagger?apiKey=desk-key shows that of the desk.
const key = new URLSearchParams(window.location.search).get('apiKey') ?? 'office-key'

window.SwaggerUIBundle({
  url: `/openapi.json?apiKey=${encodeURIComponent(key)}`,
  dom_id: '#reader',
  deepLinking: true,
  // It would fill the form of a QUERY with a condition on each field.
  supportedSubmitMethods: ['get'],
  // It is on another host.
  validatorUrl: null,
})
