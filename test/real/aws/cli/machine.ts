import { expect } from 'vitest'
import type { AwsCli } from '../python-client.ts'

/** A machine in the default VPC, from its image to its end. */
export const machineLife = async ({ json }: AwsCli): Promise<void> => {
  const ec2 = (command: string, ...args: string[]) => json('ec2', command, ...args)
  const newest = await ec2(
    'describe-images',
    ...['--filters', 'Name=name,Values=al2023-ami-*', 'Name=architecture,Values=x86_64'],
    ...['--query', 'sort_by(Images, &CreationDate)[-1].ImageId'],
  )
  const { Instances } = await ec2(
    'run-instances',
    ...['--image-id', newest, '--instance-type', 't3.small', '--count', '1'],
    ...['--metadata-options', 'HttpTokens=required'],
  )
  const id = Instances[0].InstanceId
  await ec2('wait', 'instance-running', '--instance-ids', id)
  expect(
    await ec2(
      'describe-instances',
      ...['--instance-ids', id],
      ...['--query', 'Reservations[].Instances[].[State.Name,MetadataOptions.HttpTokens]'],
    ),
  ).toEqual([['running', 'required']])
  await ec2('terminate-instances', '--instance-ids', id)
  await ec2('wait', 'instance-terminated', '--instance-ids', id)
  await expect(ec2('describe-instances', '--instance-ids', 'i-none')).rejects.toThrow(
    /\(InvalidInstanceID\.Malformed\)/,
  )
}
