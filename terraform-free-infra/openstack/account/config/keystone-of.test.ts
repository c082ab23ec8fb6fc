import { expect, test } from 'vitest'
import { cloudProfileConfigSchema } from './cloud-profile-config.ts'
import { apiVersion } from './fields.ts'
import { keystoneOf } from './keystone-of.ts'

const keystone = (fields: object, region?: string) =>
  keystoneOf(cloudProfileConfigSchema.parse({ apiVersion, kind: 'CloudProfileConfig', ...fields }), region)

const both = {
  keystoneURL: 'https://all.test/v3',
  keystoneCACert: 'all',
  keystoneURLs: [
    { region: 'one', url: 'https://one.test/v3' },
    { region: 'two', url: 'https://two.test', caCert: 'two' },
  ],
}

test('the entry of the region wins, with the common CA unless it has its own', () => {
  expect(keystone(both, 'one')).toEqual({ url: 'https://one.test/v3', tls: { ca: 'all' } })
  expect(keystone(both, 'two')).toEqual({ url: 'https://two.test', tls: { ca: 'two' } })
  expect(keystone(both, 'three')).toEqual({ url: 'https://all.test/v3', tls: { ca: 'all' } })
  expect(keystone(both)).toMatchObject({ url: 'https://all.test/v3' })
})

test('a profile may name no Keystone, or force any certificate', () => {
  expect(keystone({})).toBeUndefined()
  expect(keystone({ keystoneURL: 'http://k.test', keystoneForceInsecure: true })).toEqual({
    url: 'http://k.test',
    tls: { insecure: true },
  })
})
