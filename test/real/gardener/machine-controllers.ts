import type { MachineCloud } from '../../../sandbox/machine-controller/machine-controller.ts'
import { answerOf } from '../answer-of.ts'
import { freePort } from '../free-port.ts'
import type { GardenerPrograms } from '../programs/gardener-programs.ts'
import { startServerProcess } from '../server-process.ts'
import { serveCloud } from './remote-cloud.ts'

export interface MachineControllersOptions {
  readonly programs: GardenerPrograms
  /** The path of a kubeconfig of the seed. */
  readonly seed: string
  /** The namespace of the shoot in the seed. */
  readonly namespace: string
  /** The path of a kubeconfig of the shoot. */
  readonly shoot: string
  readonly cloud: MachineCloud
  /** Overrides flags of the controller of Machines: `--machine-health-timeout=1s`. */
  readonly flags?: readonly string[]
}

export interface RunningMachineControllers {
  output(): string
  close(): Promise<void>
}

/**
 * Starts both programs of machine-controller-manager with the flags that gardenlet sets
 * (`pkg/component/nodemanagement/machinecontrollermanager`), without leader election, because a killed leader would
 * block its successor.
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
  const start = async (command: string, own: readonly string[]) => {
    const port = await freePort()
    const server = startServerProcess({
      command,
      args: [
        ...[`--control-kubeconfig=${seed}`, `--target-kubeconfig=${shoot}`, `--namespace=${namespace}`],
        ...['--address=127.0.0.1', `--port=${port}`, '--leader-elect=false', '--kube-api-burst=200'],
        ...own,
      ],
      env: { ...process.env, CLOUD_URL: remote.url },
    })
    await answerOf(command, server, async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`)
      return answer.ok ? answer.text() : undefined
    }).catch(async error => {
      await server.stop()
      throw error
    })
    return server
  }
  const manager = await start(programs.machineControllerManager, [
    ...['--machine-safety-overshooting-period=1m', '--safety-up=2', '--safety-down=1'],
    ...['--concurrent-syncs=30', '--kube-api-qps=150', '--v=3'],
  ])
  const controller = await start(programs.machineController, [
    ...['--machine-creation-timeout=20m', '--machine-drain-timeout=2h', '--machine-health-timeout=10m'],
    ...['--machine-safety-apiserver-statuscheck-timeout=30s'],
    ...['--machine-safety-apiserver-statuscheck-period=1m', '--machine-safety-orphan-vms-period=30m'],
    ...['--kube-api-qps=100', '--v=3', ...flags],
  ])
  return {
    output: () => `${manager.output()}\n${controller.output()}`,
    close: async () => {
      await Promise.all([manager.stop(), controller.stop()])
      await remote.close()
    },
  }
}
