FROM python:3.11.13-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /srv/appraise
COPY requirements.txt .
RUN pip install -r requirements.txt
COPY . .

# Static files become part of the image, outside of the data volume; a named volume takes over the owner of its folder.
# The number of the user is told in docs/deployment.md, for folders of the host that it writes into.
RUN groupadd --gid 10001 appraise && useradd --uid 10001 --gid 10001 --create-home appraise \
    && mkdir -p /var/lib/appraise /srv/static /srv/kernels \
    && STATIC_ROOT=/srv/static DATA_DIR=/tmp/build python manage.py collectstatic --no-input --verbosity 0 \
    && rm -rf /tmp/build \
    && chown appraise:appraise /var/lib/appraise /srv/kernels
USER appraise
# Compiled kernels become part of the image too, so that the first report and scoring need not wait for them.
ENV NUMBA_CACHE_DIR=/srv/kernels
# Threads of a report that share one pool of memory leave a tenth less of it unused, in the same time.
ENV MALLOC_ARENA_MAX=1
RUN python manage.py warm_up
EXPOSE 8000
CMD ["gunicorn", "--config", "python:appraise_gec.server.gunicorn", "appraise_gec.wsgi", "--bind", "0.0.0.0:8000"]
