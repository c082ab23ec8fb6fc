import { type CodedError, configurationProblem } from '../contract/errors.ts'

/** Path of a CloudProfile in the Cluster. */
export const profileField = 'spec.cloudProfile.spec'

export const profileProblem = (message: string): CodedError =>
  configurationProblem(`cannot choose the machine of the bastion: ${message}`)
