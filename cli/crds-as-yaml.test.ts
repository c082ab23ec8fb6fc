import { expect, test } from 'vitest'
import { crdsAsYaml } from './crds-as-yaml.ts'

const kindsIn = (text: string) => [...text.matchAll(/^ {4}kind: (\w+)$/gm)].map(([, kind]) => kind)

test('trellis crds prints the extension kinds, which Gardener installs in a seed together with others', () => {
  const kinds = kindsIn(crdsAsYaml([]))
  expect(kinds).toContain('DNSRecord')
  expect(kinds).not.toContain('Machine')
})

test('trellis crds prints machines and ManagedResources by kind, by group and together with all others', () => {
  const machines = ['MachineClass', 'MachineDeployment', 'MachineSet', 'Machine']
  expect(kindsIn(crdsAsYaml(['machine.sapcloud.io']))).toEqual(machines)
  expect(kindsIn(crdsAsYaml(['resources.gardener.cloud', 'managedresource', 'dns']))).toEqual([
    'ManagedResource',
    'DNSRecord',
  ])
  expect(kindsIn(crdsAsYaml([], true))).toEqual(
    expect.arrayContaining(['Cluster', ...machines, 'ManagedResource']),
  )
})

test('trellis crds refuses an unknown name, and a name beside --all', () => {
  expect(() => crdsAsYaml(['Pod'])).toThrow(/^unknown kind Pod; known kinds: .*Machine.*ManagedResource/)
  expect(() => crdsAsYaml(['Machine'], true)).toThrow('--all prints every kind')
})
