import { setTimeout as sleep } from 'node:timers/promises'
import { webhookContract } from '../../sandbox/kubernetes/testing/webhook-suite.ts'
import { httpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'with kube-apiserver', programs => {
  webhookContract('kube-apiserver', async () => {
    const server = await startKubeApiServer(programs)
    const transport = httpTransport({ access: server.access })
    return {
      send: transport.send,
      pause: () => sleep(50),
      close: async () => {
        transport.close()
        await server.close()
      },
    }
  })
})
