/** What a person made of a text in their editor, or why there is nothing. */
export type EditedText = { readonly text: string } | { readonly problem: string }

/** Opens a text in the person's editor, as a file of that name, and resolves when the editor has ended. */
export type EditText = (text: string, name: string) => Promise<EditedText>
