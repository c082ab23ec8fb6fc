import type { KubeConfig, RequestContext } from '@kubernetes/client-node'

/**
 * Lets all requests with a config share connections. Without it, client-node creates an agent, and thus a TLS
 * connection, for each request.
 */
export const reuseConnections = (config: KubeConfig): KubeConfig => {
  let dispatcher: ReturnType<RequestContext['getDispatcher']>
  const apply = config.applySecurityAuthentication.bind(config)
  config.applySecurityAuthentication = async context => {
    await apply(context)
    dispatcher ??= context.getDispatcher()
    if (dispatcher !== undefined) context.setDispatcher(dispatcher)
  }
  return config
}
