import { expect, test } from 'vitest'
import { configOfType, partsWith } from '../../../shared/operating-system-config/testing/parts.ts'
import { suseChost } from './suse-chost.ts'
import { vsmpSettings } from './vsmp-settings.ts'

test.each([
  ['defaults', undefined, 'mem_topology=2\nsystem_memory=6x\n'],
  [
    'everything by name, cut at a semicolon',
    { vsmpConfiguration: { zeta: '1;2', 'alpha;x': 'b', mem_topology: '4' } },
    'alpha=b\nmem_topology=4\nsystem_memory=6x\nzeta=1\n',
  ],
  [
    'fields of their own, which win and are not cut',
    { systemMemory: '8x;a', memoryTopology: '3', vsmpConfiguration: { system_memory: '1x' } },
    'mem_topology=3\nsystem_memory=8x;a\n',
  ],
])('%s', (_, config, text) => expect(vsmpSettings(config)).toBe(text))

test('settings in another order give the same user data', () => {
  const userDataOf = (vsmpConfiguration: object) =>
    suseChost.userData({
      object: configOfType('memoryone-chost', {
        providerConfig: {
          apiVersion: 'memoryone-chost.os.extensions.gardener.cloud/v1alpha1',
          kind: 'OperatingSystemConfiguration',
          vsmpConfiguration,
        },
      }),
      parts: partsWith('x'),
    })
  const userData = userDataOf({ b: '1', a: '2' })
  expect(userData).toBe(userDataOf({ a: '2', b: '1' }))
  expect(userData).toMatch(
    /section=vsmp\n\na=2\nb=1\nmem_topology=2\nsystem_memory=6x\n\n--==BOUNDARY==\nContent-Type: text\/x-shellscript\n\n#!\/bin\/bash\n/,
  )
  expect(userData.endsWith('provision-osc-applied\n\n--==BOUNDARY==--\n')).toBe(true)
})

test('a setting that looks like the end of its part does not end it', () => {
  const userData = suseChost.userData({
    object: configOfType('memoryone-chost', {
      providerConfig: {
        apiVersion: 'memoryone-chost.os.extensions.gardener.cloud/v1alpha1',
        kind: 'OperatingSystemConfiguration',
        vsmpConfiguration: { '--': '=BOUNDARY==' },
      },
    }),
    parts: partsWith('x'),
  })
  const [, boundary = ''] = /boundary="(.+)"/.exec(userData) ?? []
  expect(userData).toContain('\n--==BOUNDARY==\n')
  expect(userData.split('\n').filter(line => line === `--${boundary}`)).toHaveLength(2)
})
