import { describe, expect, test } from 'vitest'
import { differencesOfObjects, idOf } from '../../../shared/manifests/testing/differences.ts'
import { openstackControlPlaneCases } from '../../../test/beside/beside.ts'
import { type RecordedSecrets, recordedOpenStackControlPlane } from '../../../test/recorded/control-planes.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { secretConfigs, secretsIdentity, shootAccessNames } from './secrets.ts'
import { fixes } from './testing/fixes.ts'
import { desiredOf, digestsOf } from './testing/recorded-form.ts'

describe('a recorded ControlPlane of OpenStack', () => {
  describe.each(openstackControlPlaneCases)('%s', name => {
    const managedResources = Object.entries(recordedOpenStackControlPlane(name).managedResources)
    const desired = desiredOf(name)

    test('has the same ManagedResources', () => {
      const got = desired.map(({ name, key, objects: _, namespace: __, ...spec }) => ({ name, key, spec }))
      const expected = managedResources.map(([name, { spec, keys }]) => {
        const { secretRefs: _, ...rest } = spec
        return { name, key: keys?.join(), spec: rest }
      })
      expect(got).toHaveLength(expected.length)
      expect(got).toEqual(expect.arrayContaining(expected))
    })

    test('has the same objects', () => {
      const lines = managedResources.flatMap(([name, { objects: expected }]) => {
        const objects = desired.find(candidate => candidate.name === name)?.objects ?? []
        return differencesOfObjects(expected, digestsOf(name, objects))
      })
      expect(lines).toEqual([])
    })

    test('is read completely: no object occurs twice', () => {
      const ids = managedResources.map(([, { objects }]) => objects.map(idOf))
      expect(ids.map(list => new Set(list).size)).toEqual(ids.map(list => list.length))
    })
  })

  test('has the same secrets', () => {
    const { generatedSecrets, shootAccessSecrets } = readStored(
      'openstack/controlplane/default.json',
    ) as RecordedSecrets
    expect(shootAccessNames.map(name => `shoot-access-${name}`).toSorted()).toEqual(
      shootAccessSecrets.map(({ name }) => name).toSorted(),
    )
    const recorded = generatedSecrets.filter(({ labels }) => labels['bundle-for'] === undefined)
    expect(recorded.map(({ labels }) => labels['manager-identity'])).toEqual([
      secretsIdentity,
      secretsIdentity,
    ])
    expect(
      secretConfigs('shoot--os--cdefault').map(config => ({
        name: config.name,
        isPersisted: config.kind === 'ca' && config.persist === true,
      })),
    ).toEqual(recorded.map(({ labels }) => ({ name: labels.name, isPersisted: labels.persist === 'true' })))
  })

  test('is mended where its page says so, and each of these is needed', () => {
    const resources = openstackControlPlaneCases.flatMap(desiredOf)
    for (const { resource, undo, why } of fixes) {
      const changed = resources.filter(
        ({ name, objects }) => name === resource && JSON.stringify(undo(objects)) !== JSON.stringify(objects),
      )
      expect(changed, why).not.toEqual([])
    }
  })
})
