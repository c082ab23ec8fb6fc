import type { MachineCloud } from '../../../sandbox/machine-controller/machine-controller.ts'
import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import type { Kubernetes } from '../../../shared/kubernetes/kubernetes.ts'
import { answerOf } from '../answer-of.ts'
import { onFreePorts } from '../free-port.ts'
import type { RunningApiServer } from '../kube-apiserver.ts'
import type { GardenerPrograms } from '../programs/gardener-programs.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { serveCloud } from './remote-cloud.ts'

export interface MachineControllersOptions {
  readonly programs: GardenerPrograms
  readonly seed: { readonly server: RunningApiServer; readonly kubernetes: Kubernetes }
  /** The namespace of the shoot in the seed. */
  readonly namespace: string
  /** The path of a kubeconfig of the shoot. */
  readonly shoot: string
  readonly cloud: MachineCloud
  /** Overrides flags of the controller of Machines: `--machine-health-timeout=1s`. */
  readonly flags?: readonly string[]
}

export interface RunningMachineControllers {
  /** Returns the last part of the programs' output. */
  output(): string
  close(): Promise<void>
}

/**
 * Runs both programs of machine-controller-manager while the Deployment of that name in the namespace has replicas, as
 * a kubelet would. They have the flags that gardenlet sets (`pkg/component/nodemanagement/machinecontrollermanager`),
 * without leader election, because a killed leader would block its successor.
 */
export const startMachineControllers = async ({
  programs,
  seed,
  namespace,
  shoot,
  cloud,
  flags = [],
}: MachineControllersOptions): Promise<RunningMachineControllers> => {
  const remote = await serveCloud(cloud)
  const kubeconfig = await seed.server.kubeconfig()
  const start = (command: string, own: readonly string[]): Promise<ServerProcess> =>
    onFreePorts(1, (port = 0) => startOn(port, command, own))
  const startOn = async (port: number, command: string, own: readonly string[]): Promise<ServerProcess> => {
    const server = startServerProcess({
      command,
      args: [
        ...[`--control-kubeconfig=${kubeconfig}`, `--target-kubeconfig=${shoot}`, `--namespace=${namespace}`],
        ...['--address=127.0.0.1', `--port=${port}`, '--leader-elect=false', '--kube-api-burst=200', '--v=3'],
        ...own,
      ],
      env: { ...process.env, CLOUD_URL: remote.url },
    })
    running.push(server)
    await answerOf(command, server, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
      return answer.ok ? answer.text() : undefined
    })
    return server
  }
  let running: ServerProcess[] = []
  const startBoth = async () => {
    await start(programs.machineControllerManager, [
      ...['--machine-safety-overshooting-period=1m', '--safety-up=2', '--safety-down=1'],
      ...['--concurrent-syncs=30', '--kube-api-qps=150'],
    ])
    await start(programs.machineController, [
      ...['--machine-creation-timeout=20m', '--machine-drain-timeout=2h', '--machine-health-timeout=10m'],
      ...['--machine-safety-apiserver-statuscheck-timeout=30s'],
      ...['--machine-safety-apiserver-statuscheck-period=1m', '--machine-safety-orphan-vms-period=30m'],
      ...['--kube-api-qps=100', ...flags],
    ])
  }
  const stopAll = async () => {
    await Promise.all(running.map(server => server.stop()))
    running = []
  }
  const ended = new AbortController()
  const follow = async () => {
    while (!ended.signal.aborted) {
      const key = { name: 'machine-controller-manager', namespace }
      const deployment = await seed.kubernetes.get(deployments, key).catch(() => undefined)
      const isWanted = Number(Object(deployment?.spec).replicas ?? 0) > 0
      if (isWanted && running.length === 0) await startBoth()
      if (!isWanted && running.length > 0) await stopAll()
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
  const following = follow()
  // Reported at `close`.
  following.catch(() => {})
  return {
    output: () => running.map(server => server.output()).join('\n'),
    close: async () => {
      ended.abort()
      await following.finally(stopAll).finally(remote.close)
    },
  }
}
