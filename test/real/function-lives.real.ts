import { afterAll, beforeAll, expect, test } from 'vitest'
import { scrapeConfigCrd } from '../../functions/calico/network/testing/seed.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { gardenDefinition } from '../../functions/oidc/extension/testing/extension-world.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { accessManifests, define, definitionsBesides, haveDefinitionsBesides } from './definitions.ts'
import { forbiddenOf, grantsOf, usedOf } from './grants.ts'
import { leadThroughLife } from './lives/function-life.ts'
import { localLives } from './lives/local.ts'
import { networkAndRuntimeLives } from './lives/network-and-runtime.ts'
import { openstackLives } from './lives/openstack.ts'
import { operatingSystemLives } from './lives/operating-systems.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { describeWith } from './with-part.ts'

const lives = [...localLives, ...openstackLives, ...operatingSystemLives, ...networkAndRuntimeLives]

/** Gardener's if available, otherwise ours. */
const gardenersDefinitions = async () =>
  haveDefinitionsBesides
    ? (
        await Promise.all(
          ['extensions.gardener.cloud_', 'machine.sapcloud.io_', 'resources.gardener.cloud_'].map(
            definitionsBesides,
          ),
        )
      ).flat()
    : [...allCrds(), ...machineCrds(), ...resourceCrds()]

describeWith('kube', 'with the ServiceAccount of its manifest, on kube-apiserver,', programs => {
  let cluster: RealCluster
  beforeAll(async () => {
    const audited = lives.map(({ definition: { name } }) => ({ namespace: 'trellis', name }))
    cluster = await startRealCluster(programs, {
      audited,
      // Restricts owner references: off by default, and on in strict clusters.
      flags: ['--enable-admission-plugins=OwnerReferencesPermissionEnforcement'],
    })
    await define(cluster.kubernetes, [...(await gardenersDefinitions()), scrapeConfigCrd, gardenDefinition])
    await cluster.create(await accessManifests())
  })
  afterAll(() => cluster?.close())

  test('every function completes its life, except those of AWS, which have their own suites', async () => {
    const names = (await findFunctions()).map(({ name }) => name).filter(name => !name.startsWith('aws-'))
    expect(lives.map(({ definition: { name } }) => name).toSorted()).toEqual(names.toSorted())
  })

  test.each(lives.map(life => [life.definition.name, life] as const))(
    '%s lives from a creation to a deletion, asks for nothing that is forbidden, and for all that it may',
    async (name, life) => {
      await leadThroughLife(cluster, life)
      const requests = (await cluster.server.audited()).filter(({ account }) => account === name)
      expect(forbiddenOf(requests)).toEqual([])
      expect(usedOf(requests)).toEqual(grantsOf(life.definition, life))
    },
  )
})
