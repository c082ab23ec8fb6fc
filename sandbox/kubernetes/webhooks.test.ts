import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../shared/clock/clock.ts'
import { httpTransport, openAccess } from '../../shared/kubernetes/kubernetes.ts'
import { createApiServer } from './api-server.ts'
import { webhookContract } from './testing/webhook-suite.ts'

webhookContract('the API server of the sandbox', async () => {
  const server = createApiServer({ clock: systemClock })
  const listener = await server.listen()
  const transport = httpTransport({ access: openAccess(listener.url) })
  return {
    send: transport.send,
    pause: () => sleep(1),
    close: async () => {
      transport.close()
      server.close()
      await listener.close()
    },
  }
})
