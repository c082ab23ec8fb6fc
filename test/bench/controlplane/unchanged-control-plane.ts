import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, type Figure } from '../figure.ts'
import { goExtension } from '../measured-elsewhere.ts'
import { bundle, startControlPlaneWorld } from './control-plane-world.ts'
import { controlPlaneObject, name } from './objects.ts'
import { rewriteAsYaml } from './rewrite-as-yaml.ts'

const circumstances = 'warm bundle with bridge and broker'
const counts = { warmUp: 10, reconciles: 20 }

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
        await world.create(controlPlaneObject(namespace))
      }
      const { requests, writes, cpuMs } = await world.measureUnchanged({ name, namespace: own }, counts)
      await rewriteAsYaml(world.seed.kubernetes, taken)
      const found = await world.measureUnchanged({ name, namespace: taken }, counts)
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
          name: `${what} created by the Go extension: writes`,
          value: found.writes,
          unit: 'requests',
          target: atMost(3),
          reference: goExtension(13),
          with: `manifests are YAML; ${found.requests} requests in all`,
        },
        ...cpuFigure(
          `${what} created by the Go extension: processor time`,
          found.cpuMs,
          `${circumstances}; manifests are YAML`,
        ),
      ]
    } finally {
      await world.close()
    }
  },
}

/** The Go extension took 60 to 97 ms. */
const goCpuMs = 60

const cpuFigure = (what: string, cpuMs: number | undefined, circumstances: string): readonly Figure[] =>
  cpuMs === undefined
    ? []
    : [
        {
          name: what,
          value: cpuMs,
          unit: 'ms CPU',
          target: atMost(0.5 * goCpuMs),
          reference: goExtension(goCpuMs, 'of 60 to 97'),
          with: `${circumstances}; ${counts.reconciles} of them`,
        },
      ]
