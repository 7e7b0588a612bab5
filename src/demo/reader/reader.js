// The validator is a foreign host.
window.SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reader', deepLinking: true, validatorUrl: null })
