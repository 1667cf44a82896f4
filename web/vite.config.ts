import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { clientRoutes } from './client-routes.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [clientRoutes(), react(), tailwindcss()],
  build: {
    outDir: join(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2024',
    // Everything is a file of its own: the content security policy allows no data in scripts or styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_500,
    modulePreload: { polyfill: false },
  },
})
