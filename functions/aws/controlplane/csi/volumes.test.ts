import { describe, expect, test } from 'vitest'
import { addedBy, dualStack, infrastructureWith, ipv6Alone, renderedOf } from '../testing/control-plane.ts'

const csiController = 'csi-driver-controller'

describe('volumes', () => {
  const gate = '--feature-gates=VolumeAttributesClass=true'
  const annotation = 'aws.provider.extensions.gardener.cloud/enable-volume-attributes-class'

  test.each([
    ['1.33.3', 'true', true],
    ['1.33.3', 'T', true],
    ['1.33.3', 'yes', false],
    ['1.33.3', 'false', false],
    ['1.34.0', 'true', false],
  ])('of %s have attributes by a gate with %s: %s', (version, value, isThere) => {
    const { flags } = renderedOf({ version, annotations: { [annotation]: value } })
    for (const sidecar of ['aws-csi-provisioner', 'aws-csi-resizer'])
      expect(flags(sidecar, csiController).includes(gate)).toBe(isThere)
    expect(flags('aws-csi-attacher', csiController)).not.toContain(gate)
  })

  test('are limited on a node by the setting of the shoot', () => {
    const prefix = 'aws.provider.extensions.gardener.cloud'
    const annotations = {
      [`${prefix}/volume-attach-limit`]: '20',
      [`${prefix}/reserved-volume-attachments`]: '3',
      [`${prefix}/legacy-xfs`]: 'true',
    }
    const limits = ['--volume-attach-limit=20', '--reserved-volume-attachments=3', '--legacy-xfs=true']
    expect(renderedOf({ annotations }).flags('csi-driver-node')).toEqual(expect.arrayContaining(limits))
    for (const limit of limits) expect(renderedOf().flags('csi-driver-node')).not.toContain(limit)
  })

  test.each(['volume-attach-limit', 'reserved-volume-attachments', 'legacy-xfs'])(
    'are not limited by an empty %s, which the driver could not parse',
    name => {
      const annotations = { [`aws.provider.extensions.gardener.cloud/${name}`]: '' }
      expect(renderedOf({ annotations }).flags('csi-driver-node')).toEqual(
        renderedOf().flags('csi-driver-node'),
      )
    },
  )

  test('have default classes, unless a user manages the default', () => {
    const defaults = (asked: Parameters<typeof renderedOf>[0]) => {
      const { find } = renderedOf(asked)
      return ['StorageClass', 'VolumeSnapshotClass'].map(kind =>
        Object.keys(find(kind, 'default')?.metadata.annotations ?? {}).filter(key => key.includes('default')),
      )
    }
    expect(defaults({})).toEqual([
      ['storageclass.kubernetes.io/is-default-class'],
      ['snapshot.storage.kubernetes.io/is-default-class'],
    ])
    expect(defaults({ providerConfig: { storage: { managedDefaultClass: false } } })).toEqual([[], []])
  })
})

describe('EFS', () => {
  const asked = {
    infrastructureConfig: { elasticFileSystem: { enabled: true } },
    infrastructure: { ...infrastructureWith('nodes', 'public'), elasticFileSystem: { ID: 'fs-1' } },
  }

  test('is deployed with the file system of the infrastructure', () => {
    expect(addedBy(asked)).toEqual([
      'ServiceAccount efs-csi-controller-sa',
      'ServiceAccount efs-csi-node-sa',
      'StorageClass efs-sc',
      'ClusterRole efs-csi-external-provisioner-role',
      'ClusterRole efs-csi-node-role',
      'ClusterRoleBinding efs-csi-provisioner-binding',
      'ClusterRoleBinding efs-csi-node-binding',
      'DaemonSet csi-driver-efs-node',
      'Deployment efs-csi-controller',
      'CSIDriver efs.csi.aws.com',
    ])
    expect(renderedOf(asked).find('StorageClass', 'efs-sc')?.parameters).toMatchObject({
      fileSystemId: 'fs-1',
    })
    expect(addedBy({ infrastructureConfig: { elasticFileSystem: { enabled: false } } })).toEqual([])
  })

  test.each([
    ['IPv4', {}, 'ipv4'],
    ['IPv6', ipv6Alone, 'ipv6'],
    ['both', dualStack, 'ipv4'],
  ])('requests its region by the first of %s', (_, networking, value) => {
    const { container } = renderedOf({ ...asked, ...networking })
    expect(container('aws-csi-driver-efs', 'efs-csi-controller').env).toContainEqual({
      name: 'AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE',
      value,
    })
  })
})
