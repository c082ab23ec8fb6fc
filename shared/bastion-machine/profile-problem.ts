import { CodedError } from '../contract/errors.ts'

/** Path of a CloudProfile in the Cluster. */
export const profileField = 'spec.cloudProfile.spec'

export const profileProblem = (message: string): CodedError =>
  new CodedError(`cannot choose the machine of the bastion: ${message}`, {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
