import { findWebhooks } from '../../functions/find-webhooks.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import { createLog } from '../../shared/log/log.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import {
  openShootOf,
  type RunningWebhooks,
  servedBy,
  startWebhooks,
  type WebhookSettings,
  webhookSettingsOf,
} from '../../shared/webhooks/server/webhook.ts'

/**
 * Serves all webhooks of a seed at a local port, and registers them in its API server; resolves when they are
 * registered. Throws a `UsageError` for a port in use.
 *
 * @param functions the folder with `<provider>/webhooks`. Default: that of Trellis
 */
export const startSeedWebhooks = async (
  kubernetes: Kubernetes,
  port: number,
  functions?: string,
): Promise<RunningWebhooks> => {
  const all = await findWebhooks(functions)
  const definitions = servedBy({ cluster: 'seed', components: [] }, all)
  const settings = parseSettings(webhookSettingsOf(definitions), {
    flags: {
      url: `https://127.0.0.1:${port}`,
      address: '127.0.0.1',
      port,
      probePort: 0,
      // There are no other clients, and no successor.
      drainAcceptMs: 0,
      drainLimitMs: 1,
    },
    env: {},
  }) as WebhookSettings & Readonly<Record<string, unknown>>
  try {
    const webhooks = await startWebhooks({
      definitions,
      settings,
      kubernetes,
      target: kubernetes,
      openShoot: openShootOf(kubernetes, systemClock),
      clock: systemClock,
      log: createLog({ level: 'error', name: 'webhook', destination: process.stderr }),
    })
    await webhooks.registered
    return webhooks
  } catch (error) {
    const { code } = Object(error)
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new UsageError(
      `port ${port} is ${code === 'EACCES' ? 'not allowed' : 'in use'}. Choose another one with --webhook-port`,
    )
  }
}
