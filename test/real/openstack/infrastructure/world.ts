import { definition } from '../../../../functions/openstack/infrastructure/function.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { OpenStackConnection } from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { type NewProject, newProject } from '../cloud/new-project.ts'
import { type PlainAnswer, type PlainCall, type PlainSession, plain } from '../cloud/rest.ts'
import { secretData } from '../cloud/seed.ts'
import type { RunningCloud } from '../cloud/start-cloud.ts'
import { byRoleIn, type CloudContent, contentOf, offeredRoles } from '../lives/cloud-content.ts'
import { beginLife, type LiveObject, secretObject } from '../lives/life.ts'

export const providerApi = 'openstack.provider.extensions.gardener.cloud/v1alpha1'

/** The input of an Infrastructure. Defaults: those of the recording `default`. */
export interface InfrastructureInput {
  readonly config?: object
  /** Fields of the CloudProfileConfig. */
  readonly profile?: object
  readonly ipFamilies?: readonly string[]
  /** `nodes` of the shoot. Null: absent. */
  readonly nodes?: string | null
  /** Data of the Secret that differ. Null: absent. */
  readonly secret?: Readonly<Record<string, string | null>>
  readonly region?: string
  readonly through?: (connection: OpenStackConnection) => OpenStackConnection
}

export type InfrastructureWorld = Awaited<ReturnType<typeof newWorld>>

export const sshPublicKey = (comment: string): string =>
  Buffer.from(
    `ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQCQygA7fZfz5LAHOs9zqVXnd+dek6m2TN7iz9s5oidSwpr9Fy6sE7TW1JuEwUeJVsdiHOTCVnfk2gSzRq6/TaKIWJm1mGkE6tno+0GI84yoF60OUc/NMAsxWHE7GvRukr24T/ZEnUZ13Og8If+RZDhZPBHorfFgrK/bDkqimxe90KWcbVPmp1lg2nqVfVwJWcltShdlHlPwkE85wTnV/XBQFZLOeleAc0QK36eYw/qP6DPL2vPg0y8N++EFFnWyBpKtGpxTaiTEtcPF66cnxn93GvhMrtNBTXm/XYWGgFfzNG2BrAL8hyU7ed82/l8aVF0lNNHBxEdS0h8S14e87k8T ${comment}`,
  ).toString('base64')

/** A project of its own for one case, and the Infrastructures in it. */
export const newWorld = async (cloud: RunningCloud, name: string, roles?: readonly string[]) => {
  const project: NewProject = await newProject(cloud, `p-${name}`, roles)
  const session: PlainSession = await cloud.login(project)
  const namespace = `shoot--os--${name}`
  const offered = await offeredRoles(cloud, session.token)
  const offeredId = (role: string): string => {
    const [id] = [...offered].find(([, one]) => one === role) ?? []
    if (id === undefined) throw new Error(`the cloud does not offer ${role}`)
    return id
  }
  const call = (
    method: string,
    service: 'network' | 'compute' | 'load-balancer' | 'identity',
    path: string,
    options: PlainCall = {},
  ): Promise<PlainAnswer> =>
    plain(method, `${cloud.url(service)}${path}`, { token: session.token, ...options })

  const objectOf = ({ config = {}, region = 'RegionOne' }: InfrastructureInput): KubernetesObject => ({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Infrastructure',
    metadata: { name: 'infrastructure', namespace },
    ...{
      spec: {
        type: 'openstack',
        region,
        secretRef: { name: 'cloudprovider', namespace },
        sshPublicKey: sshPublicKey('test'),
        providerConfig: {
          apiVersion: providerApi,
          kind: 'InfrastructureConfig',
          floatingPoolName: 'public',
          networks: { workers: '10.250.0.0/16' },
          ...config,
        },
      },
    },
  })

  const clusterOf = ({
    profile,
    ipFamilies = ['IPv4'],
    nodes = '10.250.0.0/16',
  }: InfrastructureInput): KubernetesObject => ({
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    ...{
      spec: {
        seed: {},
        shoot: {
          apiVersion: 'core.gardener.cloud/v1beta1',
          kind: 'Shoot',
          metadata: { name, namespace: 'garden-os' },
          spec: {
            networking: {
              ...(nodes && { nodes }),
              pods: '100.96.0.0/11',
              services: '100.64.0.0/13',
              ipFamilies,
            },
          },
        },
        cloudProfile: {
          apiVersion: 'core.gardener.cloud/v1beta1',
          kind: 'CloudProfile',
          metadata: { name: 'openstack' },
          spec: {
            type: 'openstack',
            providerConfig: {
              apiVersion: providerApi,
              kind: 'CloudProfileConfig',
              keystoneURL: cloud.authUrl,
              constraints: { floatingPools: [{ name: 'public' }, { name: '*' }] },
              machineImages: [],
              dnsServers: ['10.10.10.10', '10.10.10.11'],
              ...profile,
            },
          },
        },
      },
    },
  })

  const secretOf = ({ secret = {} }: InfrastructureInput): KubernetesObject => {
    const merged: Record<string, string | null> = { ...secretData(cloud.authUrl, project), ...secret }
    const data = Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null)
    return secretObject({ name: 'cloudprovider', namespace }, Object.fromEntries(data))
  }

  return {
    project,
    namespace,
    session,
    call,
    offeredId,
    content: (): Promise<CloudContent> => contentOf(cloud, session),
    /** Replaces the ids of what is in the project now. */
    roles: async () => byRoleIn(await contentOf(cloud, session), offered, project.projectId),
    life: (input: InfrastructureInput = {}, status?: LiveObject['status']) =>
      beginLife({
        definition,
        object: { ...objectOf(input), ...(status && { status }) },
        objects: [clusterOf(input), secretOf(input)],
        ...(input.through && { through: input.through }),
      }),
    /** Creates a resource of Neutron and returns its id. */
    create: async (kind: string, body: object): Promise<string> => {
      const member = kind.replaceAll('-', '_')
      const { json } = await call('POST', 'network', `/v2.0/${kind}s`, { body: { [member]: body } })
      return json[member].id
    },
  }
}

/** The status as the Go extension would write it: without what only Trellis keeps. */
export const sharedStatus = (status: LiveObject['status']): object => {
  const kept = Object.entries(status?.state?.data ?? {}).filter(
    ([key]) => !/^(?:CreatedFor|Project)$|^Made\//.test(key),
  )
  return {
    egressCIDRs: status?.egressCIDRs,
    networking: status?.networking,
    providerStatus: status?.providerStatus,
    state: { ...status?.state, data: Object.fromEntries(kept) },
  }
}

/** Removes all that tells what Trellis made from what the Go extension makes. */
export const asGoLeavesIt = async (world: InfrastructureWorld, status: LiveObject['status']) => {
  const { networks, subnets, routers, security_groups } = await world.content()
  for (const [kind, list] of Object.entries({ network: networks, subnet: subnets, router: routers }))
    for (const { id, description } of list)
      if (description !== '')
        await world.call('PUT', 'network', `/v2.0/${kind}s/${id}`, { body: { [kind]: { description: '' } } })
  for (const { id } of security_groups)
    await world.call('PUT', 'network', `/v2.0/security-groups/${id}`, {
      body: { security_group: { description: 'Cluster Nodes' } },
    })
  return { ...status, ...sharedStatus(status) }
}
