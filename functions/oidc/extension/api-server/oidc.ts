/**
 * How the API server of a shoot, or of a garden, lets an authenticator check tokens of OpenID Connect: names, and the change of
 * its pods. Whoever deploys the authenticator and whoever changes API servers agree in it.
 */
export { asksAuthenticator, withAuthenticator } from './api-server-change.ts'
export {
  apiServers,
  authenticatorName,
  authorityName,
  identities,
  kubeconfigSecretName,
  tokenValidatorFolder,
} from './names.ts'
export { newestBundle } from './newest-bundle.ts'
