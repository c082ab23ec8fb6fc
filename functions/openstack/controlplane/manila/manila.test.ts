import { expect, test } from 'vitest'
import { type OpenStackAsked, password, renderedOf } from '../testing/control-plane.ts'

const on = { providerConfig: { storage: { csiManila: { enabled: true } } } }
const controller = 'csi-driver-manila-controller'
const node = 'csi-driver-manila-node'

/** The keys and texts of the Secret with the credentials. */
const credentialsOf = (credentials: Readonly<Record<string, string>>) => {
  const { data } = renderedOf({ ...on, credentials }).find('Secret', 'manila-csi-plugin')
  return Object.fromEntries(
    Object.entries(Object(data)).map(([key, value]) => [key, Buffer.from(`${value}`, 'base64').toString()]),
  )
}

test('no object of Manila exists without it', () => {
  expect(renderedOf().ids.filter(id => id.includes('manila'))).toEqual([])
  expect(renderedOf(on).ids.filter(id => id.includes('manila')).length).toBeGreaterThan(10)
})

const { password: _, username: __, ...common } = password

test('an application credential is named by its id', () => {
  expect(
    credentialsOf({ ...common, applicationCredentialID: 'id', applicationCredentialSecret: 'secret' }),
  ).toEqual({
    'os-authURL': common.authURL,
    'os-region': 'RegionOne',
    'os-applicationCredentialID': 'id',
    'os-applicationCredentialSecret': 'secret',
  })
})

test('an application credential without an id is named with its user', () => {
  const app = {
    username: 'gardener',
    applicationCredentialName: 'app',
    applicationCredentialSecret: 'secret',
  }
  expect(credentialsOf({ ...common, ...app })).toMatchObject({
    'os-domainName': 'acme',
    'os-projectName': 'shoots',
    'os-userName': 'gardener',
    'os-applicationCredentialName': 'app',
  })
})

test('the CA of OpenStack is at the same path in the seed and on the nodes', () => {
  const withCa: OpenStackAsked = { ...on, credentials: { ...password, caCert: 'ca', insecure: 'true' } }
  const { podOf, ids } = renderedOf(withCa)
  const [seed, shoot] = [podOf('Deployment', controller), podOf('DaemonSet', node)]
  for (const { containers } of [seed, shoot])
    expect(containers[0]?.volumeMounts).toContainEqual(
      expect.objectContaining({ name: 'manila-csi-plugin', mountPath: '/var/run/csi-manila' }),
    )
  const volume = ({ volumes }: typeof seed) => volumes.find(({ name }) => name === 'manila-csi-plugin')
  expect(volume(shoot)).toMatchObject({ secret: { secretName: 'manila-csi-plugin' } })
  // The Go extension names a Secret that exists only in the shoot: its pod in the seed never starts.
  expect(volume(seed)).toEqual({
    name: 'manila-csi-plugin',
    secret: {
      secretName: 'cloud-provider-disk-config-csi',
      items: [{ key: 'keystone-ca.crt', path: 'ca.crt' }],
    },
  })
  expect(ids).toContain('Secret cloud-provider-disk-config-csi')
  expect(credentialsOf(withCa.credentials ?? {})).toMatchObject({
    'os-certAuthorityPath': '/var/run/csi-manila/ca.crt',
    'ca.crt': 'ca',
    'os-TLSInsecure': 'true',
  })
})

test('without a share network, the classes name none', () => {
  const { parameters } = renderedOf(on).find('StorageClass', 'csi-manila-nfs')
  expect(parameters).not.toHaveProperty('shareNetworkID')
})

test('the range of the nodes of an old status is that of the config', () => {
  const networks = { subnets: [{ purpose: 'nodes', id: 'subnet' }] }
  const { parameters } = renderedOf({ ...on, networks }).find('StorageClass', 'csi-manila-nfs')
  expect(parameters).toMatchObject({ 'nfs-shareClient': '10.250.0.0/16' })
})
