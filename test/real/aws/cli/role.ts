import { expect } from 'vitest'
import { permissions, trust } from '../iam/world.ts'
import type { AwsCli } from '../python-client.ts'

/** A role with a policy, in a profile. */
export const roleLife = async ({ json }: AwsCli): Promise<void> => {
  const iam = (command: string, ...args: string[]) => json('iam', command, ...args)
  const role = ['--role-name', 'cli']
  const profile = ['--instance-profile-name', 'cli']
  await iam('create-role', ...role, '--assume-role-policy-document', trust)
  await iam('wait', 'role-exists', ...role)
  await Promise.all([
    iam('put-role-policy', ...role, '--policy-name', 'machines', '--policy-document', permissions()),
    iam('create-instance-profile', ...profile),
  ])
  await iam('wait', 'instance-profile-exists', ...profile)
  await iam('add-role-to-instance-profile', ...profile, ...role)
  // aws-cli removes the URL encoding.
  expect((await iam('get-role-policy', ...role, '--policy-name', 'machines')).PolicyDocument).toEqual(
    JSON.parse(permissions()),
  )
  await expect(iam('delete-role', ...role)).rejects.toThrow(/\(DeleteConflict\)/)
  await iam('remove-role-from-instance-profile', ...profile, ...role)
  await Promise.all([
    iam('delete-instance-profile', ...profile),
    iam('delete-role-policy', ...role, '--policy-name', 'machines'),
  ])
  await iam('delete-role', ...role)
  await expect(iam('get-role', ...role)).rejects.toThrow(/\(NoSuchEntity\)/)
}
