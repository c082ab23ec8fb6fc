import { type AwsEndpoint, type Behaviour, codeOf, minutes } from './behaviour.ts'
import { type FreshVpc, inside, inVpc, present } from './ec2/world.ts'
import { uniqueName } from './unique-name.ts'

const make = async ({ efs }: Pick<AwsEndpoint, 'efs'>, CreationToken = uniqueName('token')) =>
  present((await efs.createFileSystem({ CreationToken, Encrypted: true })).FileSystemId)

const available = async (endpoint: AwsEndpoint): Promise<string> => {
  const id = await make(endpoint)
  await endpoint.pass(minutes(1))
  return id
}

const none = 'fs-0000000000000000f'

/** Runs `see` with a mount target in a new subnet. */
const mounted = (
  see: (
    world: FreshVpc & {
      readonly FileSystemId: string
      readonly SubnetId: string
      readonly MountTargetId: string
    },
  ) => Promise<unknown>,
): Behaviour['see'] =>
  inVpc(async vpc => {
    const [FileSystemId, SubnetId] = [await available(vpc), await vpc.subnet()]
    const made = await vpc.efs.createMountTarget({ FileSystemId, SubnetId })
    return see({ ...vpc, FileSystemId, SubnetId, MountTargetId: present(made.MountTargetId) })
  })

/** File systems and their mount targets. */
export const efsBehaviours: readonly Behaviour[] = [
  {
    title: 'a file system is creating at first, then available',
    see: async endpoint => {
      const made = await endpoint.efs.createFileSystem({ CreationToken: uniqueName('token') })
      await endpoint.pass(minutes(1))
      const { FileSystems } = await endpoint.efs.describeFileSystems({
        FileSystemId: present(made.FileSystemId),
      })
      return [made.LifeCycleState, FileSystems?.[0]?.LifeCycleState]
    },
    aws: ['creating', 'available'],
    moto: ['available', 'available'],
  },
  {
    title: 'the same creation token makes one file system, and the refusal tells its id',
    see: async endpoint => {
      const token = uniqueName('token')
      const id = await make(endpoint, token)
      const refusal = await make(endpoint, token).catch((error: unknown) => error)
      return [
        refusal instanceof Error && refusal.name,
        refusal instanceof Error && 'FileSystemId' in refusal && refusal.FileSystemId === id,
      ]
    },
    aws: ['FileSystemAlreadyExists', true],
    moto: ['FileSystemAlreadyExists', false],
  },
  {
    title: 'a file system is found by its creation token',
    see: async endpoint => {
      const token = uniqueName('token')
      const id = await make(endpoint, token)
      const { FileSystems } = await endpoint.efs.describeFileSystems({ CreationToken: token })
      return FileSystems?.map(({ FileSystemId }) => FileSystemId === id)
    },
    aws: [true],
  },
  {
    title: 'a file system has the tags of its creation, and its name from them',
    see: async ({ efs }) => {
      const made = await efs.createFileSystem({
        CreationToken: uniqueName('token'),
        Tags: [{ Key: 'Name', Value: 'shoot' }],
      })
      const { Tags } = await efs.listTagsForResource({ ResourceId: present(made.FileSystemId) })
      return [made.Name, Tags]
    },
    aws: ['shoot', [{ Key: 'Name', Value: 'shoot' }]],
  },
  {
    title: 'an unknown file system is not found',
    see: ({ efs }) => codeOf(efs.describeFileSystems({ FileSystemId: none })),
    aws: 'FileSystemNotFound 404',
  },
  {
    title: 'an unknown file system cannot be deleted',
    see: ({ efs }) => codeOf(efs.deleteFileSystem({ FileSystemId: none })),
    aws: 'FileSystemNotFound 404',
  },
  {
    title: 'a file system is deleted, and gone',
    see: async endpoint => {
      const FileSystemId = await available(endpoint)
      const outcome = await codeOf(endpoint.efs.deleteFileSystem({ FileSystemId }))
      await endpoint.pass(minutes(1))
      return [outcome, await codeOf(endpoint.efs.describeFileSystems({ FileSystemId }))]
    },
    aws: ['done', 'FileSystemNotFound 404'],
  },
  {
    title: 'a mount target is creating at first, then available',
    see: mounted(async ({ efs, MountTargetId, waitLong }) => {
      const state = async () =>
        (await efs.describeMountTargets({ MountTargetId })).MountTargets?.[0]?.LifeCycleState
      const first = await state()
      await waitLong()
      return [first, await state()]
    }),
    aws: ['creating', 'available'],
    moto: ['available', 'available'],
  },
  {
    title: 'a file system that is not available yet takes no mount target',
    see: inVpc(async vpc => {
      const FileSystemId = await make(vpc)
      return codeOf(vpc.efs.createMountTarget({ FileSystemId, SubnetId: await vpc.subnet() }))
    }),
    aws: 'IncorrectFileSystemLifeCycleState 409',
    moto: 'done',
  },
  {
    title: 'a zone has one mount target of a file system',
    see: mounted(async ({ efs, FileSystemId, subnet }) =>
      codeOf(efs.createMountTarget({ FileSystemId, SubnetId: await subnet('10.0.1.0/24') })),
    ),
    aws: 'MountTargetConflict 409',
  },
  {
    title: 'a file system with mount targets cannot be deleted',
    see: mounted(({ efs, FileSystemId }) => codeOf(efs.deleteFileSystem({ FileSystemId }))),
    aws: 'FileSystemInUse 409',
  },
  {
    title: 'a mount target holds an interface in its subnet until it is gone',
    see: mounted(async ({ ec2, efs, id, SubnetId, MountTargetId, waitLong }) => {
      await waitLong()
      const count = async () =>
        (await ec2.describeNetworkInterfaces({ Filters: inside(id) })).NetworkInterfaces?.length
      const before = [await count(), await codeOf(ec2.deleteSubnet({ SubnetId }))]
      await efs.deleteMountTarget({ MountTargetId })
      const during = await codeOf(ec2.deleteSubnet({ SubnetId }))
      await waitLong()
      return [
        before,
        during,
        await codeOf(efs.describeMountTargets({ MountTargetId })),
        await count(),
        await codeOf(ec2.deleteSubnet({ SubnetId })),
      ]
    }),
    aws: [[1, 'DependencyViolation 400'], 'DependencyViolation 400', 'MountTargetNotFound 404', 0, 'done'],
    moto: [
      [1, 'done'],
      'InvalidSubnetID.NotFound 400',
      'MountTargetNotFound 404',
      0,
      'InvalidSubnetID.NotFound 400',
    ],
  },
  {
    title: 'an unknown subnet takes no mount target',
    see: async endpoint =>
      codeOf(
        endpoint.efs.createMountTarget({
          FileSystemId: await available(endpoint),
          SubnetId: 'subnet-0000000000000000f',
        }),
      ),
    aws: 'SubnetNotFound 400',
    moto: 'SubnetNotFound 404',
  },
  {
    title: 'mount targets are listed by file system, or not at all',
    see: mounted(async ({ efs, FileSystemId, MountTargetId }) => {
      const { MountTargets } = await efs.describeMountTargets({ FileSystemId })
      return [
        MountTargets?.map(each => each.MountTargetId === MountTargetId),
        await codeOf(efs.describeMountTargets({})),
      ]
    }),
    aws: [[true], 'BadRequest 400'],
  },
]
