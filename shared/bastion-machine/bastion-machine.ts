/** Chooses the machine type and the image of a bastion from the CloudProfile, for every provider. */

export { bestOffer, ofArchitecture } from './capabilities.ts'
export { type ChosenMachine, chooseMachine } from './choose-machine.ts'
export { profileField, profileProblem } from './profile-problem.ts'
