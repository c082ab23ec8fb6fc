/**
 * Lets the API server of a shoot or garden validate OpenID Connect tokens with an authenticator: names, and the change
 * of its pods. Shared by the code that deploys the authenticator and the code that changes API servers.
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
