/** The machine type and the image of a bastion, by the CloudProfile, with every provider. */

export { bestOffer, type Capabilities, ofArchitecture } from './capabilities.ts'
export { type ChosenMachine, chooseMachine } from './choose-machine.ts'
export { profileField, profileProblem } from './profile-problem.ts'
