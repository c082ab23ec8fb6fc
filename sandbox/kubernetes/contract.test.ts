import { virtualClock } from '../../shared/clock/clock.ts'
import { createKubernetes, httpTransport, openAccess } from '../../shared/kubernetes/kubernetes.ts'
import { kubernetesContract } from '../../shared/kubernetes/testing/contract-suite.ts'
import { createApiServer } from './api-server.ts'

const start = Date.parse('2026-01-01T00:00:00Z')

kubernetesContract('the API server of the sandbox, called directly', async () => {
  const clock = virtualClock(start)
  const server = createApiServer({ clock })
  return {
    kubernetes: createKubernetes({ transport: server.transport, clock }),
    passTime: milliseconds => clock.advance(milliseconds),
    forgetHistory: async () => server.compact(),
    close: async () => server.close(),
  }
})

kubernetesContract('a view of the API server that shows no past', async () => {
  const clock = virtualClock(start)
  const server = createApiServer({ clock })
  return {
    kubernetes: createKubernetes({ transport: server.view({ strictness: 'any' }).transport, clock }),
    passTime: milliseconds => clock.advance(milliseconds),
    forgetHistory: async () => server.compact(),
    close: async () => server.close(),
  }
})

kubernetesContract('the API server of the sandbox, over HTTP', async () => {
  const clock = virtualClock(start)
  const server = createApiServer({ clock })
  const listener = await server.listen()
  const transport = httpTransport({ access: openAccess(listener.url) })
  return {
    kubernetes: createKubernetes({ transport: transport.send, clock }),
    passTime: milliseconds => clock.advance(milliseconds),
    forgetHistory: async () => server.compact(),
    close: async () => {
      transport.close()
      server.close()
      await listener.close()
    },
  }
})
