import { imageSettingsFor } from '../../../shared/images/images.ts'
import { imageTable } from './images.ts'

/** What the function needs beside its seed. */
export const extensionSettings = imageSettingsFor(imageTable)
