import { expect, test } from 'vitest'
import { findImage } from '../../../../shared/images/images.ts'
import { imageTable } from './image-table.ts'

const names = [...new Set(imageTable.map(({ name }) => name))]

test.each([
  ['1.32.1', 'v1.32.1', 'v5.3.0', 'v1.14.0'],
  ['1.33.4', 'v1.33.1', 'v5.3.0', 'v1.14.0'],
  ['1.34.2', 'v1.34.1', 'v6.3.0', 'v2.2.1'],
  ['1.35.1', 'v1.35.0', 'v6.3.0', 'v2.2.1'],
  ['1.36.0', 'v1.36.0', 'v6.3.0', 'v2.2.1'],
  ['1.37.0', 'v1.36.0', 'v6.3.0', 'v2.2.1'],
])('Kubernetes %s has an image of each component', (version, provider, provisioner, resizer) => {
  const tags = Object.fromEntries(
    names.map(name => [name, findImage(imageTable, name, version).replace(/^.*:/, '')]),
  )
  expect(tags).toEqual({
    'cloud-controller-manager': provider,
    'csi-driver-cinder': provider,
    'csi-driver-manila': provider,
    'csi-driver-nfs': 'v4.13.4',
    'machine-controller-manager-provider-openstack': 'v0.27.1',
    'csi-provisioner': provisioner,
    'csi-resizer': resizer,
    'csi-attacher': 'v4.12.0',
    'csi-snapshotter': 'v8.6.0',
    'csi-snapshot-controller': 'v8.6.0',
    'csi-node-driver-registrar': 'v2.17.0',
    'csi-liveness-probe': 'v2.19.0',
  })
})
