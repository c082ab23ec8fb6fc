import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { onFreePorts } from '../free-port.ts'
import type { Garden } from '../garden/start-garden.ts'
import type { GardenShootPrograms } from '../programs/garden-programs.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'

/** Starts gardener-scheduler, which assigns Shoots to seeds. */
export const startScheduler = (programs: GardenShootPrograms, garden: Garden): Promise<ServerProcess> =>
  onFreePorts(2, async (health = 0, metrics = 0) => {
    const config = {
      apiVersion: 'scheduler.config.gardener.cloud/v1alpha1',
      kind: 'SchedulerConfiguration',
      clientConnection: { kubeconfig: await garden.server.kubeconfig(), qps: 100, burst: 130 },
      leaderElection: { leaderElect: false },
      server: { healthProbes: { port: health }, metrics: { port: metrics } },
    }
    const file = join(garden.folder, 'scheduler.yaml')
    await writeFile(file, stringify(config))
    return startServerProcess({ command: programs.gardenerScheduler, args: [`--config=${file}`] })
  })
