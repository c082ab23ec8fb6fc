/** Whose these webhooks are, and what their sidecar is named after. */
export const component = 'provider-local'
