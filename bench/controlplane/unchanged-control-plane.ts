import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { bundle, startControlPlaneWorld } from './control-plane-world.ts'
import { rewriteAsYaml } from './rewrite-as-yaml.ts'
import { cpuFigure, measureUnchanged } from './unchanged.ts'

const circumstances = 'warm bundle with bridge and broker'

/** Reconciles a ControlPlane that needs no change: one that the function has created, and one that it has found. */
export const unchangedControlPlane: Benchmark = {
  name: 'controlplane-unchanged',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name: 'unchanged ControlPlane', missing }]
    const world = await startControlPlaneWorld()
    const [own, taken] = ['shoot--bench--own', 'shoot--bench--taken']
    try {
      for (const namespace of [own, taken]) {
        await world.makeShoot(namespace)
        await world.create(namespace)
        await world.moment('a ControlPlane', () => world.isReady(namespace))
      }
      const { requests, writes, cpuMs } = await measureUnchanged(world, own)
      await rewriteAsYaml(world.seed.kubernetes, taken)
      const found = await measureUnchanged(world, taken)
      const what = 'unchanged ControlPlane'
      return [
        {
          name: `${what}: requests to Kubernetes`,
          value: requests,
          unit: 'requests',
          target: atMost(15),
          reference: goExtension(45),
        },
        {
          name: `${what}: writes`,
          value: writes,
          unit: 'requests',
          target: atMost(3),
          reference: goExtension(13, '10 of them empty'),
          with: 'all of the ControlPlane itself: the claim, and the status',
        },
        ...cpuFigure(`${what}: processor time of the function`, cpuMs, circumstances),
        {
          name: `${what} that the Go extension has made: writes`,
          value: found.writes,
          unit: 'requests',
          target: atMost(3),
          reference: goExtension(13),
          with: `manifests are YAML; ${found.requests} requests in all`,
        },
        ...cpuFigure(
          `${what} that the Go extension has made: processor time`,
          found.cpuMs,
          `${circumstances}; manifests are YAML`,
        ),
      ]
    } finally {
      await world.close()
    }
  },
}
