import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../shared/clock/clock.ts'
import { createKubernetes } from '../../shared/kubernetes/client.ts'
import { kubernetesContract } from '../../shared/kubernetes/contract-suite.ts'
import { httpTransport } from '../../shared/kubernetes/http-transport.ts'
import { startKubeApiServer } from './kube-apiserver.ts'
import { describeWith } from './with-part.ts'

describeWith('kube', 'with kube-apiserver', programs => {
  kubernetesContract('TLS to kube-apiserver', async () => {
    const server = await startKubeApiServer(programs)
    const transport = httpTransport({ access: server.access })
    return {
      kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
      passTime: milliseconds => sleep(milliseconds),
      forgetHistory: server.forgetHistory,
      close: async () => {
        transport.close()
        await server.close()
      },
    }
  })
})
