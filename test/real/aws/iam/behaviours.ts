import { instanceProfileBehaviours } from './instance-profiles.ts'
import { policyBehaviours } from './policies.ts'
import { roleBehaviours } from './roles.ts'

/** The parts of IAM that machine permissions need. */
export const iamBehaviours = [
  { service: 'IAM: roles', behaviours: roleBehaviours },
  { service: 'IAM: policies', behaviours: policyBehaviours },
  { service: 'IAM: instance profiles', behaviours: instanceProfileBehaviours },
]
