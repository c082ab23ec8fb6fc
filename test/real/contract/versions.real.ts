import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { scrapeConfigCrd } from '../../../functions/calico/network/testing/seed.ts'
import { gardenDefinition } from '../../../functions/oidc/extension/testing/extension-world.ts'
import { gardenersDefinitions } from '../../contract/definitions.ts'
import { accessManifests, define } from '../definitions.ts'
import { leadThroughLife } from '../lives/function-life.ts'
import { localLives } from '../lives/local.ts'
import { networkAndRuntimeLives } from '../lives/network-and-runtime.ts'
import { operatingSystemLives } from '../lives/operating-systems.ts'
import { type RealCluster, startRealCluster } from '../real-cluster.ts'
import { describeWith } from '../with-part.ts'

const allLives = [...localLives, ...operatingSystemLives, ...networkAndRuntimeLives]
/** One of each kind. `function-lives.real.ts` has all, with one version. */
const lives = [...new Map(allLives.map(life => [life.definition.kind, life])).values()]

describeWith('modules', 'on the CRDs of Gardener', ({ supported }) => {
  const kube = inject('kube')
  if ('missing' in kube) return test.skip(kube.missing, () => {})

  describe.each(supported.map(modules => [modules.gardener.version, modules] as const))(
    '%s',
    (_, modules) => {
      let cluster: RealCluster
      let served: ReadonlySet<string>
      beforeAll(async () => {
        const definitions = await gardenersDefinitions(modules)
        served = new Set(definitions.map(({ spec }) => spec.names.kind))
        cluster = await startRealCluster(kube)
        await define(cluster.kubernetes, [...definitions, scrapeConfigCrd, gardenDefinition])
        await cluster.create(await accessManifests())
      })
      afterAll(() => cluster?.close())

      test.each(lives.map(life => [life.definition.name, life] as const))(
        '%s lives from a creation to a deletion',
        async (_, life) => {
          if (life.definition.kind === 'SelfHostedShootExposure' && !served.has(life.definition.kind)) return
          expect(served).toContain(life.definition.kind)
          await leadThroughLife(cluster, life)
        },
      )
    },
  )
})
