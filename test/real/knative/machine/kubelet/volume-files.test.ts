import { expect, test } from 'vitest'
import { type VolumeSources, volumeFiles } from './volume-files.ts'

const settings = { a: Buffer.from('1'), b: Buffer.from('2') }
const sources: VolumeSources = {
  objects: { data: (_, name) => (name === 'settings' ? settings : undefined) },
  field: path => `field ${path}`,
  token: async (audience, seconds) => `token for ${audience} and ${seconds} s`,
}
const filesOf = async (volume: object) =>
  (await volumeFiles({ name: 'v', ...volume }, sources)).map(
    ({ path, content, mode }) => `${path} ${mode.toString(8)} ${content}`,
  )

test.each([
  ['an emptyDir', { emptyDir: {} }, []],
  ['a config map', { configMap: { name: 'settings' } }, ['a 644 1', 'b 644 2']],
  [
    'keys of a secret',
    {
      secret: { secretName: 'settings', defaultMode: 0o400, items: [{ key: 'b', path: 'c/d', mode: 0o440 }] },
    },
    ['c/d 440 2'],
  ],
  [
    'fields',
    { downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    ['labels 644 field metadata.labels'],
  ],
  [
    'several sources',
    {
      projected: {
        sources: [
          { serviceAccountToken: { path: 'token', audience: 'broker', expirationSeconds: 600 } },
          { configMap: { name: 'settings', items: [{ key: 'a', path: 'a' }] } },
          { secret: { name: 'none', optional: true } },
        ],
      },
    },
    ['token 644 token for broker and 600 s', 'a 644 1'],
  ],
])('a volume of %s has its files', async (_, volume, expected) => {
  expect(await filesOf(volume)).toEqual(expected)
})

test('a volume waits for its objects', async () => {
  await expect(filesOf({ configMap: { name: 'none' } })).rejects.toThrow('ConfigMap none not found')
  await expect(filesOf({ secret: { secretName: 'none' } })).rejects.toThrow('Secret none not found')
  await expect(
    filesOf({ configMap: { name: 'settings', items: [{ key: 'c', path: 'c' }] } }),
  ).rejects.toThrow('ConfigMap settings has no key c')
})

test('an unknown kind of volume is an error', async () => {
  await expect(filesOf({ hostPath: { path: '/' } })).rejects.toThrow('cannot provide the volume v')
})
