import { authenticatorName } from '../api-server/oidc.ts'

/** Of the authenticator's pods and of nearly all that is its own. */
export const labels = { 'app.kubernetes.io/name': authenticatorName }

/** The port on which it answers API servers, and whoever scrapes it. */
export const port = 10_443
