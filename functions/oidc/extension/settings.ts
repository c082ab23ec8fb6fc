import { imageSettingsFor } from '../../../shared/images/images.ts'
import { imageTable } from './images.ts'

/** The settings of the function. */
export const extensionSettings = imageSettingsFor(imageTable)
