# Kernels are compiled in an image of their own, so that the one that runs needs neither Numba nor a compiler.
FROM python:3.11.13-slim-bookworm AS kernels
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
WORKDIR /srv/appraise
COPY requirements.txt .
RUN pip install -r requirements.txt hatchling setuptools
COPY . .
RUN mkdir /srv/kernels && python hatch_build.py /srv/kernels

FROM python:3.11.13-slim-bookworm
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/appraise
COPY requirements.txt .
RUN pip install -r requirements.txt && pip uninstall --yes numba llvmlite
COPY . .
COPY --from=kernels /srv/kernels ranking/numbers

# Static files become part of the image, outside of the data volume; a named volume takes over the owner of its folder.
# The number of the user is told in docs/deployment.md, for folders of the host that it writes into.
RUN groupadd --gid 10001 appraise && useradd --uid 10001 --gid 10001 --create-home appraise \
    && mkdir -p /var/lib/appraise /srv/static \
    && STATIC_ROOT=/srv/static DATA_DIR=/tmp/build python manage.py collectstatic --no-input --verbosity 0 \
    && rm -rf /tmp/build \
    && chown appraise:appraise /var/lib/appraise
USER appraise
# Threads of a report that share one pool of memory leave a tenth less of it unused, in the same time.
ENV MALLOC_ARENA_MAX=1
EXPOSE 8000
CMD ["gunicorn", "--config", "python:appraise_gec.server.gunicorn", "appraise_gec.wsgi", "--bind", "0.0.0.0:8000"]
