import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const FILES: Readonly<Record<string, string>> = {
  'README.md': `# A small shop

A sample project of Haft. Everything in this folder may be changed or deleted; \`npm start\` makes it again when it is gone.

- \`shop/cart.py\` adds up a cart, with a mistake in it
- \`test_cart.py\` finds the mistake: \`python3 -m unittest\`
- \`notes.md\` is for you
`,
  'notes.md': '# Notes\n\n- try: list the files\n- try: run python3 -m unittest\n',
  'shop/__init__.py': '',
  'shop/cart.py': `"""Adds up a cart."""


def total(lines, discount=0):
    """The price of all lines, less a discount in percent."""
    price = sum(line["price"] for line in lines)
    return round(price * (100 - discount) / 100, 2)
`,
  'test_cart.py': `import unittest

from shop.cart import total


class TotalTest(unittest.TestCase):
    def test_one_of_each(self):
        self.assertEqual(total([{"price": 2.5, "count": 1}]), 2.5)

    def test_several_of_one(self):
        self.assertEqual(total([{"price": 2.5, "count": 4}]), 10)


if __name__ == "__main__":
    unittest.main()
`,
  '.gitignore': '__pycache__/\n',
}

/** Makes a small project to try things in, a git repository where git is installed, unless it is there; returns its folder. It never lies in Haft's own folder, which no tool may touch. */
export function makeSampleProject(folder: string, haftHome: string): string {
  const way = relative(haftHome, folder)
  if (way === '' || !way.startsWith('..'))
    throw new Error(`The sample project cannot be in Haft's own folder ${haftHome}. Set HAFT_WORKSPACE to a folder.`)
  if (existsSync(folder)) return folder
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=Haft', '-c', 'user.email=haft@localhost', 'commit', '-m', 'A sample project to try Haft in')
  return folder
}
