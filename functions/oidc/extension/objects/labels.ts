import { authenticatorName } from '../api-server/oidc.ts'

/** Labels of the authenticator's pods and of most of its objects. */
export const labels = { 'app.kubernetes.io/name': authenticatorName }

/** Port for requests of API servers and scrapers. */
export const port = 10_443
