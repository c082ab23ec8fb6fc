/** The component of these webhooks. Their sidecar is named after it. */
export const component = 'provider-local'
