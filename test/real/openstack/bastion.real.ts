import { afterAll, beforeAll, expect, test } from 'vitest'
import { definition } from '../../../functions/openstack/bastion/function.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../shared/lifecycle/lifecycle.ts'
import { describeWith } from '../with-part.ts'
import { newProject } from './cloud/new-project.ts'
import { plain } from './cloud/rest.ts'
import { secretData } from './cloud/seed.ts'
import { type RunningCloud, startCloud } from './cloud/start-cloud.ts'
import { providerApi } from './infrastructure/world.ts'
import { createFigures } from './lives/figures.ts'
import { beginLife, secretObject, succeeded } from './lives/life.ts'
import { recordedCloudError, recordedCloudLife } from './lives/recordings.ts'

const apiVersion = 'extensions.gardener.cloud/v1alpha1'
/** As in the recording. */
const namespace = 'shoot--os--bastion'
const base = 'shoot--os--bastion-tun1-bastion-d994f'

describeWith('openstack', 'Bastions in Nova and Neutron', programs => {
  let cloud: RunningCloud
  const figures = createFigures('Bastion')
  beforeAll(async () => {
    cloud = await startCloud(programs, { services: ['servers'] })
  })
  afterAll(async () => {
    figures.print()
    await cloud?.close()
  })

  /** A project with the network of a shoot, made by plain calls. */
  const newShoot = async (name: string, pool = 'public', poolSubnet = 'public-subnet') => {
    const project = await newProject(cloud, name)
    const { token } = await cloud.login(project)
    const call = async (
      method: string,
      service: 'network' | 'compute' | 'image',
      path: string,
      body?: unknown,
    ) =>
      (await plain(method, `${cloud.url(service)}${path}`, { token, ...(body !== undefined && { body }) }))
        .json
    const create = async (kind: string, body: object): Promise<{ readonly id: string }> => {
      const member = kind.replaceAll('-', '_')
      return (await call('POST', 'network', `/v2.0/${kind}s`, { [member]: body }))[member]
    }
    const [external] = (await call('GET', 'network', `/v2.0/networks?name=${pool}`)).networks
    const [outside] = (await call('GET', 'network', `/v2.0/subnets?name=${poolSubnet}`)).subnets
    const network = await create('network', { name: namespace })
    const subnet = await create('subnet', {
      name: namespace,
      network_id: network.id,
      ip_version: 4,
      cidr: '10.250.0.0/16',
    })
    const router = await create('router', {
      name: namespace,
      external_gateway_info: { network_id: external.id, external_fixed_ips: [{ subnet_id: outside.id }] },
    })
    await call('PUT', 'network', `/v2.0/routers/${router.id}/add_router_interface`, { subnet_id: subnet.id })
    const group = await create('security-group', { name: namespace })
    const [image] = (await call('GET', 'image', '/v2/images')).images
    const { external_gateway_info: gateway } = (await call('GET', 'network', `/v2.0/routers/${router.id}`))
      .router
    const [{ ip_address: ip }] = gateway.external_fixed_ips
    const providerStatus = {
      apiVersion: providerApi,
      kind: 'InfrastructureStatus',
      networks: {
        id: network.id,
        name: namespace,
        floatingPool: { id: external.id, name: pool },
        router: { id: router.id, ip, externalFixedIP: [ip] },
        subnets: [{ purpose: 'nodes', id: subnet.id, cidr: '10.250.0.0/16' }],
      },
      node: { keyName: namespace },
      securityGroups: [{ purpose: 'nodes', id: group.id, name: namespace }],
    }
    const cluster = {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: namespace },
      spec: {
        seed: {},
        shoot: {
          apiVersion: 'core.gardener.cloud/v1beta1',
          kind: 'Shoot',
          metadata: { name: 'bastion', namespace: 'garden-os' },
          spec: { region: 'RegionOne' },
        },
        cloudProfile: {
          apiVersion: 'core.gardener.cloud/v1beta1',
          kind: 'CloudProfile',
          metadata: { name: 'openstack' },
          spec: {
            type: 'openstack',
            machineTypes: [
              { name: 'm1.small', cpu: '1', memory: '512Mi', gpu: '0', architecture: 'amd64', usable: true },
            ],
            machineImages: [
              {
                name: 'gardenlinux',
                versions: [{ version: '1877.3.0', architectures: ['amd64'], classification: 'supported' }],
              },
            ],
            bastion: {
              machineType: { name: 'm1.small' },
              machineImage: { name: 'gardenlinux', version: '1877.3.0' },
            },
            providerConfig: {
              apiVersion: providerApi,
              kind: 'CloudProfileConfig',
              keystoneURL: cloud.authUrl,
              constraints: { floatingPools: [{ name: 'public' }] },
              machineImages: [
                {
                  name: 'gardenlinux',
                  versions: [
                    {
                      version: '1877.3.0',
                      image: 'gardenlinux-1877.3.0',
                      regions: [{ name: 'RegionOne', id: image.id, architecture: 'amd64' }],
                    },
                  ],
                },
              ],
            },
          },
        },
      },
    }
    const infrastructure = {
      apiVersion,
      kind: 'Infrastructure',
      metadata: { name: 'bastion', namespace },
      spec: { type: 'openstack', region: 'RegionOne', secretRef: { name: 'cloudprovider', namespace } },
    }
    const life = async (cidrs: readonly string[] = ['1.2.3.4/32']) => {
      const object: KubernetesObject = {
        apiVersion,
        kind: 'Bastion',
        metadata: { name: 'tun1', namespace },
        ...{
          spec: {
            type: 'openstack',
            userData: 'IyEvYmluL2Jhc2gKZWNobw==',
            ingress: cidrs.map(cidr => ({ ipBlock: { cidr } })),
          },
        },
      }
      const secret = secretObject({ name: 'cloudprovider', namespace }, secretData(cloud.authUrl, project))
      const begun = beginLife({ definition, object, objects: [cluster, infrastructure, secret] })
      const key = { name: 'bastion', namespace }
      // The API server ignores a status at a creation.
      await begun.kubernetes.patch(
        kinds.Infrastructure.resource,
        key,
        { status: { providerStatus } },
        { subresource: 'status' },
      )
      return begun
    }
    const content = async () => {
      const { servers } = await call('GET', 'compute', '/v2.1/servers/detail')
      const { floatingips } = await call(
        'GET',
        'network',
        `/v2.0/floatingips?project_id=${project.projectId}`,
      )
      const groups = (await call('GET', 'network', `/v2.0/security-groups?project_id=${project.projectId}`))
        .security_groups
      const of = (wanted: string) => groups.find((one: { name: string }) => one.name === wanted)
      return { servers, floatingips, group: of(`${base}-sg`), nodes: of(namespace) }
    }
    return { project, life, content }
  }
  type Rules = readonly {
    readonly direction: string
    readonly protocol: string | null
    readonly remote_ip_prefix: string
  }[]
  const rangesOf = (group: { readonly security_group_rules: Rules }) =>
    group.security_group_rules
      .filter(({ direction, protocol }) => direction === 'ingress' && protocol === 'tcp')
      .map(({ remote_ip_prefix }) => remote_ip_prefix)
      .toSorted()

  test('bastion: created, left alone, opened for another range only, and deleted', async () => {
    const recorded = recordedCloudLife('bastion', 'bastion')
    const shoot = await newShoot('p-bastion')
    const life = await shoot.life()
    const created = await life.create()
    const { status } = succeeded(created)
    const made = await shoot.content()
    expect(made.servers).toMatchObject([{ name: base, status: 'ACTIVE' }])
    expect(made.floatingips).toMatchObject([{ description: expect.stringContaining(base), status: 'ACTIVE' }])
    expect(Object(status).ingress).toEqual({ ip: made.floatingips[0].floating_ip_address })
    expect(rangesOf(made.group)).toEqual(['1.2.3.4/32'])
    expect(made.nodes.security_group_rules).toContainEqual(
      expect.objectContaining({
        direction: 'ingress',
        protocol: 'tcp',
        port_range_min: 22,
        remote_group_id: made.group.id,
      }),
    )
    const idle = await life.idle()
    succeeded(idle)
    expect(idle.writes).toEqual([])
    succeeded(await life.ask('reconcile', { spec: { ingress: [{ ipBlock: { cidr: '5.6.7.8/32' } }] } }))
    // The Go extension leaves the former range open (D12).
    expect(rangesOf((await shoot.content()).group)).toEqual(['5.6.7.8/32'])
    const removed = await life.remove()
    expect(removed.object?.status?.lastError).toBeUndefined()
    expect(removed.object).toBeUndefined()
    const left = await shoot.content()
    expect(left.servers).toEqual([])
    expect(left.floatingips).toEqual([])
    expect(left.group).toBeUndefined()
    expect(
      left.nodes.security_group_rules.filter((rule: { protocol: string | null }) => rule.protocol === 'tcp'),
    ).toEqual([])
    figures.add('bastion', { create: created, idle, delete: removed }, recorded)
  })

  test('error-invalid-cidr: the field is named, and nothing is made', async () => {
    const shoot = await newShoot('p-invalid-cidr')
    const { object, writes } = await (await shoot.life(['1.2.3.4'])).create()
    expect(object?.status?.lastError?.codes).toEqual(['ERR_CONFIGURATION_PROBLEM'])
    expect(object?.status?.lastError?.description).toContain('1.2.3.4')
    expect(writes).toEqual([])
  })

  test('error-server-quota: the code of the Go extension, and nothing is left after the deletion', async () => {
    const shoot = await newShoot('p-server-quota')
    const { token } = await cloud.login({
      user: 'admin',
      password: 'admin-secret',
      domain: 'Default',
      project: 'admin',
    })
    await plain('PUT', `${cloud.url('compute')}/v2.1/os-quota-sets/${shoot.project.projectId}`, {
      token,
      body: { quota_set: { instances: 0 } },
    })
    const life = await shoot.life()
    const { object } = await life.create()
    const codes = recordedCloudError('bastion', 'error-server-quota')?.codes ?? ['ERR_INFRA_QUOTA_EXCEEDED']
    expect(object?.status?.lastError?.codes).toEqual(codes)
    expect((await life.remove()).object).toBeUndefined()
    const left = await shoot.content()
    expect(left.floatingips).toEqual([])
    expect(left.group).toBeUndefined()
  })

  test('no free floating address: a code, the pool in the text, and nothing is left after the deletion', async () => {
    // The router of the shoot has the only address of this subnet.
    const shoot = await newShoot('p-no-address', 'public-full', 'full-a')
    const life = await shoot.life()
    const { object } = await life.create()
    expect(object?.status?.lastError?.codes).toEqual(['ERR_INFRA_RESOURCES_DEPLETED'])
    expect(object?.status?.lastError?.description).toMatch(/No more IP addresses available/)
    expect((await life.remove()).object).toBeUndefined()
    const left = await shoot.content()
    expect(left.servers).toEqual([])
    expect(left.floatingips).toEqual([])
    expect(left.group).toBeUndefined()
  })

  test('a wrong password: a code, and the deletion leaves nothing once it is right again', async () => {
    const shoot = await newShoot('p-wrong-password')
    const life = await shoot.life()
    succeeded(await life.create())
    const secret = { name: 'cloudprovider', namespace }
    const setPassword = (text: string) =>
      life.kubernetes.patch(secrets, secret, { data: { password: btoa(text) } })
    await setPassword('wrong')
    const failed = await life.remove()
    expect(failed.object?.status?.lastError?.codes).toEqual(['ERR_INFRA_UNAUTHORIZED'])
    expect((await shoot.content()).servers).toHaveLength(1)
    await setPassword(shoot.project.password)
    expect((await life.ask('reconcile')).object).toBeUndefined()
    const left = await shoot.content()
    expect(left.servers).toEqual([])
    expect(left.floatingips).toEqual([])
    expect(left.group).toBeUndefined()
  })
})
