import { bridgeSettings, type RunningBridge, startBridge } from '../../bridge/bridge.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { createBroker, loadManifests, type SandboxBroker } from '../../sandbox/knative/knative.ts'
import { functionSettings } from '../../sandbox/providers/aws/demo/shoot-seeds.ts'
import type { Aws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createAws } from '../../sandbox/providers/aws/simulator/aws.ts'
import { createActivator, functionProcesses, startersOf } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import type { Log } from '../../shared/log/log.ts'
import { parseSettings } from '../../shared/runtime/runtime.ts'
import type { RealCluster } from './real-cluster.ts'

export interface RealSeed {
  readonly aws: Aws
  readonly broker: SandboxBroker
  readonly bridge: RunningBridge['bridge']
  close(): Promise<void>
}

const manifests = new URL('../../knative/base', import.meta.url).pathname

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/**
 * Starts a seed with a real API server. The bridge runs in this process. Each function runs in its own process with the
 * token of its service account, so that the RBAC rules of `knative/` are tested too. The broker and AWS are those of
 * the sandbox. `watched`: kinds, in the form of the bridge's setting. `aws`: several seeds may share one.
 */
export const startRealSeed = async (
  { server, kubernetes }: RealCluster,
  watched = 'DNSRecord',
  aws: Aws = createAws(),
): Promise<RealSeed> => {
  const clock = systemClock
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.reverse().splice(0)) await step()
  }
  try {
    const awsListener = await aws.listen()
    undo.push(awsListener.close)
    const activator = createActivator({
      starterOf: startersOf(await findFunctions(), async fn =>
        functionProcesses({
          kubeconfig: await server.kubeconfig({ namespace: 'trellis', name: fn.name }),
          env: {
            AWS_ENDPOINT_URL: awsListener.url,
            // As long as the simulated AWS takes.
            ...(fn.name === 'aws-infrastructure' && {
              TRELLIS_WAIT_SCALE: String(functionSettings.waitScale),
            }),
          },
        })(fn),
      ),
      clock,
      idleMs: undefined,
    })
    undo.push(activator.close)
    const broker = await createBroker({
      manifests: await loadManifests([manifests]),
      resolve: service => activator.url(service),
      clock,
      log: silent,
    })
    undo.push(broker.close)
    const running = await startBridge({
      settings: parseSettings(bridgeSettings, {
        flags: {
          seed: 'real',
          sink: broker.ingress('trellis', 'default'),
          address: '127.0.0.1',
          port: 0,
          kinds: watched,
        },
        env: {},
      }),
      kubernetes,
      clock,
      log: silent,
    })
    undo.push(running.close)
    return { aws, broker, bridge: running.bridge, close }
  } catch (error) {
    await close()
    throw error
  }
}
